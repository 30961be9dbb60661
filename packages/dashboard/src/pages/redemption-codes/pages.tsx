import { NumberInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { redemptionCodeWords } from '@zoetrope/contract/words/payments'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { DialogButton } from '../../ui/form-dialog.js'
import { sayDone } from '../../ui/notices.js'
import { ListPage } from '../../ui/record-pages/list-page.js'
import type { RecordKind } from '../../ui/record-pages/record-kind.js'
import { RecordPage } from '../../ui/record-pages/record-page.js'
import { referenceTo } from '../../ui/resource-form/reference-input.js'
import { ResourceForm } from '../../ui/resource-form/resource-form.js'
import { strings } from './strings.js'

const redemptionCodes: RecordKind<keyof typeof redemptionCodeWords> = {
  name: 'redemption_codes',
  resource: catalog.redemption_codes,
  words: redemptionCodeWords,
  path: '/redemption-codes',
  icon: 'key',
  strings,
  titleOf: ({ nice_code }) => String(nice_code),
  columns: [
    { field: 'nice_code', label: strings.code },
    { field: 'content_title', label: strings.opens, isOnPhone: true },
    'redeemed',
    'expiration_date',
    'created_at',
  ],
  filters: ['redeemed'],
  groups: [{ fields: ['code', 'video_id', 'playlist_id', 'plan_id', 'pass_plan_id', 'expiration_date'] }],
  inputs: {
    video_id: referenceTo('videos'),
    playlist_id: referenceTo('playlists'),
    plan_id: referenceTo('plans', 'name'),
    pass_plan_id: referenceTo('pass_plans', 'name'),
  },
}

export function List() {
  const { mayEdit } = useSession()
  return (
    <ListPage
      kind={redemptionCodes}
      actions={
        mayEdit && (
          <DialogButton label={strings.bulk} icon="copy" isWide>
            {(close) => <BulkForm onDone={close} />}
          </DialogButton>
        )
      }
    />
  )
}

const fields = ['video_id', 'playlist_id', 'plan_id', 'pass_plan_id', 'expiration_date'] as const
const usual = 100

/** Creates many codes for the same thing. */
function BulkForm({ onDone }: { onDone(): void }) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<number | string>(usual)
  const amount = Number(typed) || 1
  return (
    <Stack>
      <Text>{strings.bulkAbout}</Text>
      <NumberInput
        label={strings.amount}
        min={1}
        max={1000}
        value={typed}
        onChange={setTyped}
        onBlur={() => setTyped(amount)}
      />
      <ResourceForm
        resource={redemptionCodes.resource}
        words={redemptionCodeWords}
        groups={[{ fields }]}
        inputs={redemptionCodes.inputs}
        save={(target, options) => client.redemption_codes.bulkCreate({ amount, ...target }, options)}
        onSaved={() => {
          sayDone(strings.made(amount))
          void queries.invalidateQueries({ queryKey: keyOf('redemption_codes') })
          onDone()
        }}
        onCancel={onDone}
      />
    </Stack>
  )
}

export const Record = () => <RecordPage kind={redemptionCodes} />
