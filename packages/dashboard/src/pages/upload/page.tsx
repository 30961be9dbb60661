import { Stack, Switch, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../data/session.js'
import { useUploads } from '../../data/upload-list.js'
import { sayFailed } from '../../ui/notices.js'
import { PageLayout } from '../../ui/page.js'
import { DropZone } from './drop-zone.js'
import { FileRow } from './file-row.js'
import { Imports } from './imports.js'
import { Interrupted } from './interrupted.js'
import { addFiles } from './send-files.js'
import { strings } from './strings.js'
import classes from './upload.module.css'

/** Films from this machine or from the web become videos; with `video_id` in the address, one video gets another film. */
export function Page() {
  const session = useSession()
  const queries = useQueryClient()
  const uploads = useUploads()
  const { video_id: videoId } = useSearch({ strict: false }) as { video_id?: string }
  const [active, setActive] = useState(true)
  const done = uploads.filter(({ state }) => state === 'done').length
  useEffect(() => {
    if (done > 0) void queries.invalidateQueries({ queryKey: ['videos'] })
  }, [done, queries])
  const take = (files: readonly File[]) => {
    if (files.length === 0) return sayFailed(strings.title, new Error(strings.none))
    addFiles(session, videoId ? files.slice(0, 1) : files, { active, ...(videoId ? { videoId } : {}) })
  }
  return (
    <PageLayout
      title={videoId ? strings.replaceTitle : strings.title}
      parents={[{ label: strings.parent, to: videoId ? `/videos/${videoId}` : '/videos' }]}
      maw="60rem"
    >
      <DropZone isReplacing={videoId !== undefined} onFiles={take} />
      {!videoId && (
        <Switch
          label={strings.publish}
          checked={active}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
      )}
      {uploads.length > 0 && (
        <Stack component="section" gap="sm" aria-label={strings.files}>
          <div>
            <Title order={2} size="h4">
              {strings.files}
            </Title>
            <Text c="dimmed" size="sm" role="status">
              {done === uploads.length ? strings.allDone : strings.going(done, uploads.length)}
            </Text>
          </div>
          <ul className={classes.list}>
            {uploads.map((item) => (
              <FileRow key={item.id} item={item} />
            ))}
          </ul>
        </Stack>
      )}
      <Interrupted />
      {!videoId && <Imports />}
    </PageLayout>
  )
}
