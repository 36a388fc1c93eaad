/**
 * Returns a function that takes items, and calls `work` with each of them: with at most `most` in one turn of the event
 * loop, so that many items at once do not keep requests waiting.
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
