import type { Catalog, RecordOf } from '@zoetrope/contract'

export type DeviceKind = RecordOf<Catalog['plays']>['device']

/** The first match wins: TVs often name the phone system they are built on, and tablets the desktop one. */
const marks: readonly (readonly [DeviceKind, RegExp])[] = [
  [
    'tv',
    /\b(smart-?tv|hbbtv|apple ?tv[\d,]*|tvos|google ?tv|android ?tv|crkey|roku|web0s|netcast|viera|bravia|vidaa|aft\w{1,8}|amazonwebappplatform|xbox|playstation|nintendo)\b|tizen(?!.*mobile)/i,
  ],
  ['tablet', /\b(ipad|tablet|kindle|silk|playbook)\b|android(?!.*\bmobile\b)/i],
  ['phone', /\b(iphone|ipod|mobi|mobile|windows phone)\b|android/i],
  ['desktop', /\b(windows nt|macintosh|x11|cros|linux)\b/i],
]

const longest = 500

/** The kind of device according to the User-Agent. */
export function watchedOn(userAgent: string | undefined): DeviceKind {
  const agent = (userAgent ?? '').slice(0, longest)
  return marks.find(([, mark]) => mark.test(agent))?.[0] ?? 'other'
}
