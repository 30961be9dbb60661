import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { LoadedPage } from '../../ui/loaded-page.js'
import { type Cue, cuesOf } from '../video/subtitles/cues.js'
import { newSubtitleSearch } from '../video/subtitles/search.js'
import { Editor } from './editor.js'
import { strings } from './strings.js'

const parent = { label: strings.videos, to: '/videos' }
const firstLine: readonly Cue[] = [{ id: '', settings: '', start: 0, end: 2000, text: '' }]

/** The lines of a subtitle beside the film. With `new` in place of its id, those of a subtitle that does not exist yet. */
export function Page() {
  const { id = '', subtitle = '' } = useParams({ strict: false }) as { id?: string; subtitle?: string }
  const { language } = newSubtitleSearch.useSearch()
  const { client, channel } = useSession()
  const isNew = subtitle === 'new'
  const query = useQuery({
    queryKey: keyOf('subtitle-text', channel._id, 'record', id, subtitle),
    queryFn: async ({ signal }) => {
      const [video, record, vtt] = await Promise.all([
        client.videos.get(id, { signal }),
        isNew ? undefined : client.subtitles.get(id, subtitle, { signal }),
        isNew ? undefined : client.subtitles.download(id, subtitle, { format: 'vtt' }, { signal }),
      ])
      return { video, record, cues: vtt === undefined ? firstLine : cuesOf(vtt) }
    },
    // The text must not change under the hands of its editor, and is read anew when the page opens again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <LoadedPage query={query} parent={parent}>
      {({ video, record, cues }) => (
        <Editor
          key={subtitle}
          video={video}
          subtitle={record}
          language={typeof language === 'string' ? language : 'en'}
          cues={cues}
          parent={parent}
        />
      )}
    </LoadedPage>
  )
}
