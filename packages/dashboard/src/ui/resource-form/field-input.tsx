import type { Field } from '@zoetrope/contract'
import type { ComponentType } from 'react'
import type { FieldOf, InputProps } from './input-props.js'
import { MoneyField } from './money-inputs.js'
import {
  ChoiceField,
  FileField,
  FlagField,
  IdField,
  ListField,
  NumberField,
  PasswordField,
  TextField,
  TimestampField,
} from './plain-inputs.js'
import { MapField, ObjectsField } from './row-inputs.js'

const inputs: { readonly [K in Field['kind']]: ComponentType<InputProps<FieldOf<K>>> } = {
  text: TextField,
  flag: FlagField,
  integer: NumberField,
  number: NumberField,
  money: MoneyField,
  choice: ChoiceField,
  timestamp: TimestampField,
  id: IdField,
  secret: IdField,
  password: PasswordField,
  file: FileField,
  list: ListField,
  map: MapField,
  objects: (props) => <ObjectsField {...props} Inner={FieldInput} />,
}

/** The input that suits a field's kind. */
export function FieldInput(props: InputProps) {
  const Kind = inputs[props.field.kind] as ComponentType<InputProps>
  return <Kind {...props} />
}
