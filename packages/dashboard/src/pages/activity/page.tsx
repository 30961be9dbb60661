import { useQuery } from '@tanstack/react-query'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { ActivityList } from '../../ui/activity/activity-list.js'
import type { ActivityEvent } from '../../ui/activity/event-kinds.js'
import { actorWords, keyWords } from '../../ui/activity/sentence.js'
import { useActivity } from '../../ui/activity/use-activity.js'
import { PageLayout } from '../../ui/page.js'
import { SkipButton } from '../../ui/skip-button.js'
import { Empty } from '../../ui/states.js'
import classes from './activity.module.css'
import { Filters } from './filters.js'
import { strings } from './strings.js'
import { useFilters } from './use-filters.js'

const perPage = 50
const listId = 'activity'

/** What happened in the channel, by whom and when. */
export function Page() {
  const filters = useFilters()
  const activity = useActivity({ query: filters.query, perPage, isLive: true })
  const members = useMembers()
  const keys = useKeys()
  const empty = filters.isNarrowed ? (
    <Empty icon="filter" title={strings.nothingFits} about={strings.nothingFitsAbout} />
  ) : (
    <Empty icon="clock" title={strings.empty} about={strings.emptyAbout} />
  )
  return (
    <PageLayout title={strings.title} about={strings.about} maw="64rem">
      <SkipButton label={strings.skip} to={listId} />
      <Filters filters={filters} actors={new Map([...members, ...keys, ...actorsOf(activity.events)])} />
      <div id={listId} tabIndex={-1} className={classes.list}>
        <ActivityList activity={activity} members={members} empty={empty} />
      </div>
    </PageLayout>
  )
}

/** The names of the team by id, for those who may see the team. */
function useMembers(): ReadonlyMap<string, string> {
  const { publisher, channel, may } = useSession()
  const { data } = useQuery({
    queryKey: keyOf('members', channel._id),
    queryFn: () => publisher.members(),
    enabled: may('team'),
  })
  return new Map(data?.map(({ _id, name, email }) => [_id, name ?? email]) ?? [])
}

/** The named keys by id, for those who may see them. */
function useKeys(): ReadonlyMap<string, string> {
  const { client, channel, may } = useSession()
  const { data } = useQuery({
    queryKey: keyOf('keys', channel._id, 'list', 'activity'),
    queryFn: ({ signal }) => client.keys.list({ per_page: 100 }, { signal }),
    enabled: may(['keys', 'list']),
  })
  return new Map(data?.response.map(({ _id, name }) => [_id, keyWords(name)]) ?? [])
}

/** The people and keys that the events name. */
const actorsOf = (events: readonly ActivityEvent[]): readonly (readonly [string, string])[] =>
  events.flatMap((event) =>
    typeof event.actor.id === 'string' && typeof event.actor.name === 'string'
      ? [[event.actor.id, actorWords(event)] as const]
      : [],
  )
