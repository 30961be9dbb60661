import { useQuery } from '@tanstack/react-query'
import { currencyAmong } from './currency.js'
import { keyOf } from './keys.js'
import type { Entry } from './records.js'
import { useSession } from './session.js'

export type Plan = Entry<'plans'>
export type Pass = Entry<'pass_plans'>

async function collect<T>(all: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const each of all) found.push(each)
  return found
}

/** What the channel sells: its plans, published or not, and its passes. */
export function useOffers() {
  const { client, channel } = useSession()
  const plans = useQuery({
    queryKey: keyOf('plans', channel._id, 'list', 'offers'),
    queryFn: ({ signal }) => collect<Plan>(client.plans.all({ active: 'all', per_page: 100 }, { signal })),
  })
  const passes = useQuery({
    queryKey: keyOf('pass_plans', channel._id, 'list', 'offers'),
    queryFn: ({ signal }) => collect<Pass>(client.pass_plans.all({ per_page: 100 }, { signal })),
  })
  return { plans, passes }
}

/** The plan of a channel that has only one: forms choose it from the start. */
export const onlyPlan = (plans: readonly Plan[] | undefined): string | undefined =>
  plans?.length === 1 ? plans[0]?._id : undefined

/** The currency of the channel, or undefined until it is known. */
export function useCurrency(): string | undefined {
  const { plans, passes } = useOffers()
  return plans.data && passes.data && currencyAmong([...plans.data, ...passes.data])
}
