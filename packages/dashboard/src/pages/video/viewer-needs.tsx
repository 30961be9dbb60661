import { Anchor, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { currencyAmong } from '../../data/currency.js'
import { keyOf } from '../../data/keys.js'
import { type Pass, type Plan, useOffers } from '../../data/offers.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { money } from '../../ui/numbers.js'
import { planPrice } from '../../ui/plan-price.js'
import type { Values } from '../../ui/resource-form/values.js'
import { Section } from '../../ui/section.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { SubscribePage } from '../../ui/subscribe-page.js'
import { type AccessWay, waysIn } from './access-ways.js'
import { strings } from './strings.js'

/** The days of a rental if the video does not say. */
const usualDays = 2

interface Offer {
  readonly _id: string
  readonly name: string
  readonly to: string
  readonly price: string | undefined
  readonly active: boolean
}

interface ViewerNeedsProps {
  readonly video: Video
  /** The values of the form, saved or not. */
  readonly values: Values
}

/** What viewers need to watch the video, in words, with the plans and passes that open it. */
export function ViewerNeeds({ video, values }: ViewerNeedsProps) {
  const { plans, passes } = useOffers()
  const playlists = usePlaylistsForSale(video)
  const ways = waysIn(values)
  return (
    <Section title={strings.access.needs}>
      {ways.length === 0 ? (
        <Text>
          {values.registration_required === true ? strings.access.signedIn : strings.access.everyone}
        </Text>
      ) : (
        <Loaded query={plans} waiting={<Waiting rows={1} />}>
          {(plansNow) => (
            <Loaded query={passes} waiting={<Waiting rows={1} />}>
              {(passesNow) => {
                const currency = currencyAmong([...plansNow, ...passesNow])
                const told = {
                  subscription_required: (
                    <Offered offers={plansFor(plansNow, video)} to="/plans/new" {...planWords} />
                  ),
                  pass_required: (
                    <Offered offers={passesNow.map(passOffer)} to="/passes/new" {...passWords} />
                  ),
                  purchase_required: buying(values.purchase_price, currency),
                  rental_required: renting(values, currency),
                  redemption_code_required: <CodeWay />,
                } satisfies Record<AccessWay, ReactNode>
                const sold = playlists.data ?? []
                const all = [
                  ...ways.map((way) => ({ key: way as string, words: told[way] })),
                  ...(sold.length > 0 ? [{ key: 'playlist', words: <PlaylistWay playlists={sold} /> }] : []),
                ]
                return <Needs all={all} />
              }}
            </Loaded>
          )}
        </Loaded>
      )}
      {ways.includes('subscription_required') && <SubscribePage />}
    </Section>
  )
}

const Needs = ({ all }: { readonly all: readonly { readonly key: string; readonly words: ReactNode }[] }) =>
  all.length === 1 ? (
    <Text>
      {strings.access.viewersNeed} {all[0]?.words}
    </Text>
  ) : (
    <>
      <Text mb="xs">{strings.access.oneOfThese}</Text>
      <List>
        {all.map(({ key, words }) => (
          <List.Item key={key}>
            <Text>{words}</Text>
          </List.Item>
        ))}
      </List>
    </>
  )

/** The plans that open the video, as the server decides it: all videos for subscribers, or one of its playlists. */
const plansFor = (plans: readonly Plan[], { related_playlist_ids }: Video): readonly Offer[] =>
  plans
    .filter(
      ({ entitlement_type, playlist_ids }) =>
        entitlement_type === 'global' || playlist_ids.some((id) => related_playlist_ids.includes(id)),
    )
    .map((plan) => ({
      ...{ _id: plan._id, name: plan.name, active: plan.active, to: `/plans/${plan._id}` },
      price: planPrice(plan),
    }))

const passOffer = ({ _id, name, amount, currency, active }: Pass): Offer => ({
  ...{ _id, name, active, to: `/passes/${_id}` },
  price: money(amount, currency ?? ''),
})

const planWords = { one: strings.access.plan, many: strings.access.plans, none: strings.access.noPlan }
const passWords = { one: strings.access.pass, many: strings.access.passes, none: strings.access.noPass }

interface OfferedProps {
  readonly offers: readonly Offer[]
  readonly one: string
  readonly many: string
  readonly none: string
  /** The page that creates one. */
  readonly to: string
}

function Offered({ offers, one, many, none, to }: OfferedProps) {
  const { mayEdit } = useSession()
  if (offers.length === 0)
    return (
      <>
        {none}{' '}
        {mayEdit && (
          <Anchor component={Link} to={to}>
            {strings.access.make}
          </Anchor>
        )}
      </>
    )
  return (
    <>
      {offers.length === 1 ? one : many} <Links offers={offers} />
    </>
  )
}

const Links = ({ offers }: { readonly offers: readonly Offer[] }) =>
  offers.map(({ _id, name, to, price, active }, index) => (
    <Fragment key={_id}>
      {index > 0 && ', '}
      <Anchor component={Link} to={to}>
        {name}
      </Anchor>
      {(price || !active) &&
        ` ${strings.access.priced([price, ...(active ? [] : [strings.access.unpublished])].filter(Boolean).join(', '))}`}
    </Fragment>
  ))

const isPrice = (price: unknown): price is string => typeof price === 'string' && /^\d+(\.\d+)?$/.test(price)

const buying = (price: unknown, currency: string): string =>
  isPrice(price) ? strings.access.buy(money(price, currency)) : strings.access.buyUnpriced

function renting({ rental_price: price, rental_duration: days }: Values, currency: string): string {
  if (!isPrice(price)) return strings.access.rentUnpriced
  return strings.access.rent(money(price, currency), Number(days) || usualDays)
}

const CodeWay = () => (
  <>
    {strings.access.code}{' '}
    <Anchor component={Link} to="/redemption-codes">
      {strings.access.codeLink}
    </Anchor>
  </>
)

/** The playlists with this video that are sold or rented as a whole. */
function usePlaylistsForSale({ _id, related_playlist_ids: ids }: Video) {
  const { client, channel } = useSession()
  return useQuery({
    queryKey: keyOf('playlists', channel._id, 'list', 'for-sale', _id, ...ids),
    queryFn: async ({ signal }): Promise<readonly Offer[]> => {
      const { response } = await client.playlists.list(
        { id: [...ids], active: 'all', per_page: 100 },
        { signal },
      )
      return response
        .filter(({ purchase_required, rental_required }) => purchase_required || rental_required)
        .map(({ _id: id, title, active }) => ({
          ...{ _id: id, name: title, active, to: `/playlists/${id}` },
          price: undefined,
        }))
    },
    enabled: ids.length > 0,
  })
}

const PlaylistWay = ({ playlists }: { readonly playlists: readonly Offer[] }) => (
  <>
    {strings.access.playlist} <Links offers={playlists} />
  </>
)
