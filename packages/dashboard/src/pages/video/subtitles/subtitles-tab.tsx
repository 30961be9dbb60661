import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '@zoetrope/contract'
import { type SubmitEvent, useState } from 'react'
import { keyOf } from '../../../data/keys.js'
import { useSession } from '../../../data/session.js'
import { DialogButton } from '../../../ui/form-dialog.js'
import { LanguagePicker } from '../../../ui/language-picker.js'
import { Empty, Loaded } from '../../../ui/states.js'
import type { TabProps } from '../tab-props.js'
import { DropSubtitles } from './drop-subtitles.js'
import { NewFiles } from './new-files.js'
import { newSubtitleSearch } from './search.js'
import { strings } from './strings.js'
import { SubtitleRow } from './subtitle-row.js'
import { useNewFiles } from './use-new-files.js'

/** The subtitles of a video, and ways to add more: from files, or line by line. */
export function SubtitlesTab({ video }: TabProps) {
  const { client, channel, mayEdit } = useSession()
  const queries = useQueryClient()
  const queryKey = keyOf('subtitles', channel._id, 'list', video._id)
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.subtitles.list(video._id, { active: 'all', per_page: 100 }, { signal }),
  })
  const renew = () => void queries.invalidateQueries({ queryKey })
  const added = useNewFiles(video._id, renew)
  return (
    <Stack>
      <Loaded query={list}>
        {({ response }) => (
          <>
            {response.length === 0 && added.files.length === 0 && (
              <Empty icon="text" title={strings.empty} about={strings.about} />
            )}
            {response.length > 0 && <Text c="dimmed">{strings.about}</Text>}
            {response.map((one) => (
              <SubtitleRow key={one._id} video={video} subtitle={one} renew={renew} />
            ))}
            {mayEdit && response.length >= limits.subtitles.value && (
              <Text c="dimmed">{strings.full(limits.subtitles.value)}</Text>
            )}
          </>
        )}
      </Loaded>
      {mayEdit && (
        <>
          <NewFiles added={added} />
          <DropSubtitles onFiles={(files) => void added.add(files)}>
            <DialogButton icon="edit" label={strings.write}>
              {() => <NewLines videoId={video._id} />}
            </DialogButton>
          </DropSubtitles>
        </>
      )}
    </Stack>
  )
}

/** Asks for the language of new subtitles, and opens the editor. They are created with the first save. */
function NewLines({ videoId }: { readonly videoId: string }) {
  const navigate = useNavigate()
  const [language, setLanguage] = useState<string | null>(null)
  const begin = (event: SubmitEvent) => {
    event.preventDefault()
    if (language === null) return
    void navigate({ to: `/videos/${videoId}/subtitles/new`, search: newSubtitleSearch.to({ language }) })
  }
  return (
    <form onSubmit={begin}>
      <Stack>
        <LanguagePicker label={strings.writeAbout} value={language} onChange={setLanguage} />
        <Group justify="flex-end">
          <Button type="submit" disabled={language === null}>
            {strings.begin}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
