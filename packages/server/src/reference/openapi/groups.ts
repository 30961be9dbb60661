import { catalog, type Resource } from '@zoetrope/contract'
import { mediaTag } from './media.js'
import { tagOf } from './names.js'
import { oauthTag } from './oauth.js'
import { platformTag } from './platform.js'

/** The chapters of the reference: which resources stand in each, by their names in the catalog, and what else does. */
const chapters: readonly (readonly [name: string, resources: RegExp, others: readonly string[]])[] = [
  [
    'Videos and playlists',
    /^(videos|video_versions|playlists|categories|subtitles|subtitle_playlists|audio_tracks|segments|(video_)?ad_timings|images|previews)$/,
    [],
  ],
  ['Zobjects', /^zobject/, []],
  ['Files and imports', /upload|import|source|download|format/, []],
  ['Playing', /^(plays|players)$|playback_token/, [mediaTag.name]],
  ['Signing in', /^(pin|sessions|linked_devices)$/, [oauthTag.name]],
  ['Viewers', /consumer|favorite|rating|entitlement/, []],
  ['Money', /plan|subscription|transaction|redemption|ad_tag|revenue/, []],
  ['Content rules', /rule|geoip/, []],
  ['Guides and feeds', /guide|feed/, []],
  ['Apps and devices', /app|device/, []],
  ['Events', /^(events|batches|webhook)/, []],
  ['The channel', /./, [platformTag.name]],
]

const chapterOf = (key: string) => chapters.find(([, resources]) => resources.test(key))?.[0]

/** The headings of the reference by chapter; each stands in one. */
export function tagGroups(): readonly { readonly name: string; readonly tags: readonly string[] }[] {
  const resources = Object.entries<Resource>(catalog)
  return chapters
    .map(([name, , others]) => ({
      name,
      tags: [
        ...resources.filter(([key]) => chapterOf(key) === name).map(([, each]) => tagOf(each)),
        ...others,
      ],
    }))
    .filter(({ tags }) => tags.length > 0)
}
