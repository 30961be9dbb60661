import { Anchor, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { onlyPlan, useOffers } from '../../data/offers.js'
import { useSession } from '../../data/session.js'
import { DialogButton, QuickForm } from '../../ui/form-dialog.js'
import { sayDone } from '../../ui/notices.js'
import { pickersOf } from '../../ui/resource-form/reference-input.js'
import { Loaded, Waiting } from '../../ui/states.js'
import { strings } from './strings.js'

const { One: PlanPicker } = pickersOf('plans', 'name')

interface GiveSubscriptionProps {
  readonly consumerId: string
}

/** Subscribes a viewer to a plan, without a payment. */
export const GiveSubscription = ({ consumerId }: GiveSubscriptionProps) => (
  <DialogButton label={strings.give} icon="plus" mt="md">
    {(close) => <PlanForm consumerId={consumerId} onGiven={close} />}
  </DialogButton>
)

function PlanForm({ consumerId, onGiven }: GiveSubscriptionProps & { onGiven(): void }) {
  const [plan, setPlan] = useState<string | null>(null)
  const { client } = useSession()
  const queries = useQueryClient()
  const { plans } = useOffers()
  const chosen = plan ?? onlyPlan(plans.data) ?? null
  return (
    <Loaded query={plans} waiting={<Waiting rows={2} />}>
      {(known) =>
        known.length === 0 ? (
          <Text>
            {strings.noPlans}{' '}
            <Anchor component={Link} to="/plans/new">
              {strings.createPlan}
            </Anchor>
          </Text>
        ) : (
          <QuickForm
            about={strings.giveAbout}
            label={strings.giveNow}
            send={() => client.subscriptions.create({ consumer_id: consumerId, plan_id: chosen ?? '' })}
            onSent={async () => {
              sayDone(strings.given)
              onGiven()
              await Promise.all(
                [keyOf('consumer-parts'), keyOf('consumers'), keyOf('subscriptions')].map((queryKey) =>
                  queries.invalidateQueries({ queryKey }),
                ),
              )
            }}
          >
            {(problem) => (
              <PlanPicker
                name="plan_id"
                label={strings.plan}
                value={chosen}
                onChange={setPlan}
                error={problem}
                required
              />
            )}
          </QuickForm>
        )
      }
    </Loaded>
  )
}
