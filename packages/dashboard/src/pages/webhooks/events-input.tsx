import { TagsInput } from '@mantine/core'
import { eventSubjects } from '@zoetrope/contract'
import { type InputProps, shared } from '../../ui/resource-form/input-props.js'
import { strings } from './strings.js'

const first = ['*', 'video.*', 'playlist.*', '*.deleted']
const suggestions = [...new Set([...first, ...eventSubjects.map((subject) => `${subject}.*`)])]

/** Types of event, with suggestions. */
export const EventsInput = (props: InputProps) => (
  <TagsInput
    {...shared(props)}
    value={Array.isArray(props.value) ? props.value.map(String) : []}
    placeholder={strings.eventsHint}
    data={suggestions}
    acceptValueOnBlur
    onChange={props.onChange}
  />
)
