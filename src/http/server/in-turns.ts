/**
 * Returns a function that adds an item to a queue. `work` is called later with each item, in order, for at most `most`
 * items in one turn of the event loop.
 */
export function inTurns<Item>(most: number, work: (item: Item) => void): (item: Item) => void {
  const waiting: Item[] = [];
  let isPlanned = false;
  const plan = (): void => {
    isPlanned = waiting.length > 0;
    if (isPlanned) setImmediate(turn);
  };
  const turn = (): void => {
    waiting.splice(0, most).forEach(work);
    plan();
  };
  return (item) => {
    waiting.push(item);
    if (!isPlanned) plan();
  };
}
