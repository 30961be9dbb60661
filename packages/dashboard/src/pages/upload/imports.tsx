import { Anchor, Badge, Box, Button, Group, Progress, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { keyOf } from '../../data/keys.js'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { sayDone } from '../../ui/notices.js'
import { PlainList } from '../../ui/plain-list.js'
import { Section } from '../../ui/section.js'
import { explain, Failed } from '../../ui/states.js'
import { strings } from './strings.js'

type Import = Entry<'video_imports'>

const lookAgainMs = 2000
const isGoing = ({ status }: Import) => status === 'created' || status === 'downloading'

/** Imports films from URLs. */
export function Imports() {
  const { client, channel } = useSession()
  const queries = useQueryClient()
  const queryKey = keyOf('video_imports', channel._id, 'list')
  const imports = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.video_imports.list({ per_page: 10 }, { signal }),
    refetchInterval: ({ state }) => (state.data?.response.some(isGoing) ? lookAgainMs : false),
  })
  const [url, setUrl] = useState('')
  const [title, setTitle] = useState('')
  const begin = useMutation({
    mutationFn: () => client.video_imports.create({ source_url: url.trim(), ...(title ? { title } : {}) }),
    onSuccess: async () => {
      sayDone(strings.imported)
      setUrl('')
      setTitle('')
      await queries.invalidateQueries({ queryKey })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    begin.mutate()
  }
  const shown = imports.data?.response ?? []
  return (
    <Section title={strings.importTitle} about={strings.importAbout}>
      <form onSubmit={submit}>
        <Group align="flex-start">
          <TextInput
            label={strings.importUrl}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            type="url"
            required
            placeholder="https://"
            error={begin.error ? explain(begin.error).about : undefined}
            flex="2 1 16rem"
          />
          <TextInput
            label={strings.importName}
            placeholder={strings.importNameAbout}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            flex="1 1 12rem"
          />
        </Group>
        <Button type="submit" loading={begin.isPending} variant="default" mt="md">
          {strings.importSubmit}
        </Button>
      </form>
      {imports.error && !imports.data && (
        <Box mt="lg">
          <Failed error={imports.error} onRetry={() => void imports.refetch()} />
        </Box>
      )}
      {shown.length > 0 && (
        <Stack mt="lg" gap="xs">
          <Title order={3} size="h5">
            {strings.imports}
          </Title>
          <PlainList>
            {shown.map((one) => (
              <ImportRow key={one._id} one={one} />
            ))}
          </PlainList>
        </Stack>
      )}
    </Section>
  )
}

const ImportRow = ({ one }: { readonly one: Import }) => (
  <li>
    <Group justify="space-between" wrap="nowrap">
      {one.video_id ? (
        <Anchor component={Link} to={`/videos/${one.video_id}`} truncate>
          {one.title}
        </Anchor>
      ) : (
        <Text truncate>{one.title}</Text>
      )}
      <Badge variant="default" tt="none" fw={500}>
        {strings.importStates[one.status]}
      </Badge>
    </Group>
    {isGoing(one) && <Progress value={one.progress ?? 0} aria-label={one.title} mt={6} />}
    {one.status_reason && (
      <Text size="sm" c="dimmed">
        {one.status_reason}
      </Text>
    )}
  </li>
)
