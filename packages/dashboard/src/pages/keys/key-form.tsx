import { Alert, Checkbox, NativeSelect, NumberInput, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Catalog, RecordOf } from '@zoetrope/contract'
import { useState } from 'react'
import { keyOf } from '../../data/keys.js'
import { useSession } from '../../data/session.js'
import { QuickForm } from '../../ui/form-dialog.js'
import { dayOf, type Expiry, expiryOf, momentOf } from './expiry.js'
import { ScopeTable } from './scope-table.js'
import { type Preset, presetOf, presets } from './scopes.js'
import { strings } from './strings.js'

export type NamedKey = RecordOf<Catalog['keys']>

interface KeyFormProps {
  /** The key to change; without one a new key is created. */
  readonly record?: NamedKey
  readonly onSaved: (saved: NamedKey) => void
}

/** An empty field means no limit. */
const rateOf = (given: number | string) => (typeof given === 'number' ? given : null)

/** Creates or changes a named key. The server may ask for the password first. */
export function KeyForm({ record, onSaved }: KeyFormProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const [name, setName] = useState(record?.name ?? '')
  const [preset, setPreset] = useState<Preset>(record ? presetOf(record.scopes) : 'read')
  const [chosen, setChosen] = useState<readonly string[]>(record?.scopes ?? [])
  const [expiry, setExpiry] = useState<Expiry>(record ? expiryOf(record.expires_at) : '90')
  const [day, setDay] = useState(dayOf(record?.expires_at ?? null))
  const [networks, setNetworks] = useState(record?.allowed_networks.join('\n') ?? '')
  const [rate, setRate] = useState<number | string>(record?.requests_per_minute ?? '')
  const [isStrict, setIsStrict] = useState(record?.strict ?? true)
  const scopes = preset === 'custom' ? chosen : presets[preset]
  const isSameExpiry =
    record !== undefined && expiry === expiryOf(record.expires_at) && day === dayOf(record.expires_at)
  const fields = {
    name,
    scopes: [...scopes],
    allowed_networks: networks.split(/[\s,]+/).filter((network) => network !== ''),
    strict: isStrict,
    requests_per_minute: rateOf(rate),
    // The expiry of a key that has expired could not be saved again.
    ...(isSameExpiry ? {} : { expires_at: momentOf(expiry, day) }),
  }
  const save = () => (record ? client.keys.update(record._id, fields) : client.keys.create(fields))
  return (
    <QuickForm
      label={record ? strings.save : strings.create}
      send={save}
      onSent={(saved) => {
        onSaved(saved)
        return queries.invalidateQueries({ queryKey: keyOf('keys') })
      }}
    >
      {(problem) => (
        <>
          <TextInput
            label={strings.name}
            description={strings.nameHelp}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            data-autofocus
          />
          <Radio.Group label={strings.may} value={preset} onChange={(value) => setPreset(value as Preset)}>
            <Stack gap="xs" mt="xs">
              {([...Object.keys(presets), 'custom'] as Preset[]).map((each) => (
                <Radio
                  key={each}
                  value={each}
                  label={strings.presets[each]}
                  description={strings.presetHelp[each]}
                />
              ))}
            </Stack>
          </Radio.Group>
          {preset === 'custom' && <ScopeTable chosen={chosen} onChange={setChosen} />}
          <NativeSelect
            label={strings.expiry}
            value={expiry}
            data={Object.entries(strings.expiries).map(([value, label]) => ({ value, label }))}
            onChange={(event) => setExpiry(event.currentTarget.value as Expiry)}
          />
          {expiry === 'date' && (
            <TextInput
              type="date"
              label={strings.lastDay}
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
              required
            />
          )}
          <Textarea
            label={strings.networks}
            description={strings.networksHelp}
            value={networks}
            onChange={(event) => setNetworks(event.currentTarget.value)}
            autosize
            minRows={2}
          />
          <NumberInput
            label={strings.rate}
            description={strings.rateHelp}
            value={rate}
            onChange={setRate}
            min={1}
            max={1_000_000}
            allowDecimal={false}
          />
          <Checkbox
            label={strings.strict}
            description={strings.strictHelp}
            checked={isStrict}
            onChange={(event) => setIsStrict(event.currentTarget.checked)}
          />
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
        </>
      )}
    </QuickForm>
  )
}
