import { ActionIcon, Badge, Group, Paper, Stack, TagsInput, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import type { Entry } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { DialogButton } from '../../ui/form-dialog.js'
import { Icon } from '../../ui/icons.js'
import { offerUndo, sayFailed } from '../../ui/notices.js'
import { dateAndTime } from '../../ui/numbers.js'
import { type InputProps, shared } from '../../ui/resource-form/input-props.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { Section } from '../../ui/section.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { strings } from './strings.js'

type Rule = Entry<'video_content_rules'>

const groups = [
  {
    fields: [
      ...[
        'name',
        'policy',
        'geographies',
        'domains',
        'device_category_ids',
        'device_ids',
        'starts_at',
        'ends_at',
      ],
      ...['priority', 'stackable', 'enabled'],
    ],
  },
]

type Geographies = readonly { readonly countries?: readonly string[] }[]
const countriesOf = (geographies: unknown) =>
  ((geographies ?? []) as Geographies).flatMap(({ countries = [] }) => countries)

/** Countries, of which a rule has one list for people. */
const Countries = (props: InputProps) => (
  <TagsInput
    {...shared(props)}
    label={strings.rules.countries}
    placeholder={strings.rules.countriesHint}
    value={countriesOf(props.value)}
    acceptValueOnBlur
    onChange={(countries) => props.onChange(countries.length === 0 ? [] : [{ countries }])}
  />
)

const inputs = {
  geographies: Countries,
  device_ids: referenceTo('devices', 'name'),
  device_category_ids: referenceTo('device_categories', 'name'),
}

/** The rules of this video: by country, site, kind of device and time. */
export function Rules({ videoId }: { readonly videoId: string }) {
  const { client, channel, mayEdit } = useSession()
  const queries = useQueryClient()
  const queryKey = ['video_content_rules', channel._id, videoId]
  const rules = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.video_content_rules.list(videoId, { per_page: 100 }, { signal }),
  })
  const renew = () => void queries.invalidateQueries({ queryKey })
  const remove = (rule: Rule) =>
    client.video_content_rules.remove(videoId, rule._id).then(
      () => {
        renew()
        offerUndo(strings.rules.deleted, () => {
          const { _id, site_id, video_id, created_at, updated_at, ...fields } = rule
          client.video_content_rules
            .create(videoId, fields)
            .then(renew, (error) => sayFailed(strings.failed, error))
        })
      },
      (error: unknown) => sayFailed(strings.failed, error),
    )
  return (
    <Section
      title={strings.rules.title}
      about={strings.rules.about}
      actions={
        mayEdit && (
          <DialogButton label={strings.rules.add} icon="plus" size="xs" isWide>
            {(close) => (
              <ResourceForm
                resource={catalog.video_content_rules}
                groups={groups}
                inputs={inputs}
                save={(changes) => client.video_content_rules.create(videoId, changes)}
                onSaved={() => {
                  close()
                  renew()
                }}
                onCancel={close}
              />
            )}
          </DialogButton>
        )
      }
    >
      <Loaded query={rules} waiting={<Waiting rows={1} />}>
        {({ response }) =>
          response.length === 0 ? (
            <Text c="dimmed">{strings.rules.empty}</Text>
          ) : (
            <Stack gap="xs">
              {response.map((rule) => (
                <Paper key={rule._id} withBorder p="sm">
                  <Group justify="space-between" wrap="nowrap">
                    <div>
                      <Group gap="xs">
                        <Badge color={rule.policy === 'deny' ? 'red' : 'teal'} variant="light" tt="none">
                          {strings.rules.policies[rule.policy]}
                        </Badge>
                        <Text fw={500}>{rule.name}</Text>
                        {!rule.enabled && <Text c="dimmed">{strings.rules.off}</Text>}
                      </Group>
                      <Text size="sm">{inWords(rule)}</Text>
                    </div>
                    {mayEdit && (
                      <Group gap="xs" wrap="nowrap">
                        <DialogButton
                          label={strings.rules.edit}
                          aria-label={strings.rules.editOf(rule.name ?? inWords(rule))}
                          size="xs"
                          isWide
                        >
                          {(close) => (
                            <ResourceForm
                              resource={catalog.video_content_rules}
                              record={rule}
                              groups={groups}
                              inputs={inputs}
                              save={(changes) =>
                                client.video_content_rules.update(videoId, rule._id, changes)
                              }
                              onSaved={() => {
                                close()
                                renew()
                              }}
                            />
                          )}
                        </DialogButton>
                        <ActionIcon
                          variant="default"
                          aria-label={strings.rules.deleteOf(rule.name ?? inWords(rule))}
                          onClick={() => void remove(rule)}
                        >
                          <Icon name="trash" size={16} />
                        </ActionIcon>
                      </Group>
                    )}
                  </Group>
                </Paper>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

/** Whom a rule concerns. */
function inWords({
  geographies,
  domains,
  device_ids,
  device_category_ids,
  starts_at,
  ends_at,
}: Rule): string {
  const countries = countriesOf(geographies)
  const devices = device_ids.length + device_category_ids.length
  const parts = [
    countries.length > 0 && strings.rules.in(countries.join(', ')),
    domains.length > 0 && strings.rules.on(domains.join(', ')),
    devices > 0 && strings.rules.devices(devices),
    starts_at && strings.rules.from(dateAndTime(starts_at)),
    ends_at && strings.rules.until(dateAndTime(ends_at)),
  ].filter(Boolean)
  return parts.length === 0 ? strings.rules.everybody : parts.join(' · ')
}
