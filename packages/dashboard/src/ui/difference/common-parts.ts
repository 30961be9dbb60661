/** Whether a position is inside a word. */
const isInWord = (text: string, at: number) => /\S/.test(text[at - 1] ?? '') && /\S/.test(text[at] ?? '')

/** The lengths of the common beginning and end of two texts, in whole words. */
export function commonParts(a: string, b: string): readonly [number, number] {
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  while (head > 0 && (isInWord(a, head) || isInWord(b, head))) head -= 1
  let tail = 0
  const most = Math.min(a.length, b.length) - head
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  while (tail > 0 && (isInWord(a, a.length - tail) || isInWord(b, b.length - tail))) tail -= 1
  return [head, tail]
}
