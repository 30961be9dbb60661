import type { Storyboard } from './picture-args.js'

/** WebVTT that maps each moment to a part of a sheet. */
export function storyboardCues(
  { tile, columns, rows, interval, pictures }: Storyboard,
  duration: number,
  sheetAddress: (sheet: number) => string,
): string {
  const perSheet = columns * rows
  const cues = Array.from({ length: pictures }, (_, picture) => {
    const place = picture % perSheet
    const [x, y] = [(place % columns) * tile.width, Math.floor(place / columns) * tile.height]
    const [from, to] = [picture * interval, Math.min(duration, (picture + 1) * interval)]
    const address = sheetAddress(Math.floor(picture / perSheet))
    return `${cueTime(from)} --> ${cueTime(to)}\n${address}#xywh=${x},${y},${tile.width},${tile.height}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

function cueTime(seconds: number): string {
  const whole = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = String(whole % 1000).padStart(3, '0')
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}.${rest}`
}
