import { Badge } from '@mantine/core'

/** Short words beside the name of a record, such as Default or Hidden. */
export const Badges = ({ words }: { readonly words: readonly string[] }) =>
  words.map((word) => (
    <Badge key={word} variant="default" tt="none" fw={500}>
      {word}
    </Badge>
  ))
