/**
 * Returns a function that queues an item. Later, `work` is called with each queued item, in order: with at most `max`
 * items in one turn of the event loop, so that many items at once do not make requests wait.
 */
export function spreadOverTurns<Item>(max: number, work: (item: Item) => void): (item: Item) => void {
  const waiting: Item[] = [];
  let isPlanned = false;
  const plan = (): void => {
    isPlanned = waiting.length > 0;
    if (isPlanned) setImmediate(turn);
  };
  const turn = (): void => {
    waiting.splice(0, max).forEach(work);
    plan();
  };
  return (item) => {
    waiting.push(item);
    if (!isPlanned) plan();
  };
}
