/** The letters of the sample's titles, five pixels wide and seven high. Each row is a number of five bits. */
const letters: Readonly<Record<string, readonly number[]>> = {
  A: [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
  D: [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
  E: [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
  F: [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000],
  H: [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
  I: [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
  L: [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
  N: [0b10001, 0b11001, 0b10101, 0b10101, 0b10011, 0b10001, 0b10001],
  P: [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
  T: [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
  W: [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001],
}
const height = 7
/** A letter and the gap after it fill less than a byte, the unit of the format. */
const cell = 8

/**
 * A title as a picture in an address, white on black: ffmpeg reads it without a file, and needs no font, which not every
 * machine has. The format is PBM, in which a set bit is black.
 */
export function titlePicture(title: string): string {
  const shown = [...title.toUpperCase()].map((letter) => letters[letter] ?? [])
  const rows = Array.from({ length: height }, (_, row) =>
    shown.map((letter) => ~((letter[row] ?? 0) << 2) & 0xff),
  )
  const head = Buffer.from(`P4\n${shown.length * cell} ${height}\n`)
  const picture = Buffer.concat([head, Buffer.from(rows.flat())])
  return `data:image/x-portable-bitmap;base64,${picture.toString('base64')}`
}
