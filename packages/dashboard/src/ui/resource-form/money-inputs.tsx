import { Select, Text, TextInput } from '@mantine/core'
import { nullable } from '@zoetrope/contract'
import { useMemo } from 'react'
import { useCurrency } from '../../data/offers.js'
import { currencies, money } from '../numbers.js'
import { strings } from '../strings.js'
import { type InputProps, shared } from './input-props.js'
import { moneyProblem } from './problems.js'

interface MoneyInputProps extends InputProps {
  readonly currency: string | undefined
}

/** An amount with its currency. Below its label stands how viewers read it. */
function MoneyInput({ currency, ...props }: MoneyInputProps) {
  const amount = String(props.value ?? '')
  const isReadable = currency !== undefined && amount !== '' && !moneyProblem(amount, currency)
  return (
    <TextInput
      {...shared(props)}
      description={isReadable ? strings.viewersSee(money(amount, currency)) : (props.help ?? undefined)}
      error={props.problem ?? (amount !== '' && moneyProblem(amount, currency))}
      value={amount}
      inputMode="decimal"
      autoComplete="off"
      rightSection={
        currency && (
          <Text size="sm" c="dimmed" component="span">
            {currency}
          </Text>
        )
      }
      rightSectionWidth="3.5rem"
      rightSectionPointerEvents="none"
      onChange={({ currentTarget }) => {
        const next = currentTarget.value.trim()
        props.onChange(next === '' && nullable(props.field) ? null : next)
      }}
    />
  )
}

/** An amount in the currency that the same form has, if it has one. */
export function MoneyField(props: InputProps) {
  const currency = props.values?.currency
  return <MoneyInput {...props} currency={typeof currency === 'string' ? currency : undefined} />
}

/** An amount in the currency of the channel, for records that have no currency of their own. */
export const PriceInput = (props: InputProps) => <MoneyInput {...props} currency={useCurrency()} />

/** A currency, found by its code or its name. */
export function CurrencyInput(props: InputProps) {
  const code = typeof props.value === 'string' ? props.value : ''
  const options = useMemo(() => {
    const known = currencies().map(({ code, name }) => ({ value: code, label: `${code}: ${name}` }))
    const isKnown = code === '' || known.some(({ value }) => value === code)
    return isKnown ? known : [...known, { value: code, label: code }]
  }, [code])
  return (
    <Select
      {...shared(props)}
      data={options}
      value={code === '' ? null : code}
      onChange={(next) => next && props.onChange(next)}
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage={strings.noneFound}
      limit={30}
    />
  )
}
