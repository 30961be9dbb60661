import { Checkbox, ScrollArea, Table, Text } from '@mantine/core'
import { type Right, scopedResources } from './scopes.js'
import { strings } from './strings.js'

interface ScopeTableProps {
  readonly chosen: readonly string[]
  readonly onChange: (scopes: readonly string[]) => void
}

const rights: readonly Right[] = ['read', 'write']

/** A checkbox for every scope. */
export function ScopeTable({ chosen, onChange }: ScopeTableProps) {
  const isChosen = (scope: string) => chosen.includes(scope) || chosen.includes(`*:${scope.split(':')[1]}`)
  const change = (scope: string) => {
    const [, right] = scope.split(':')
    // A wildcard becomes the scopes that it covers, so that one of them can be taken away.
    const each = scopedResources().flatMap((resource) =>
      resource.rights.map((own) => `${resource.name}:${own}`),
    )
    const before = each.filter(isChosen).filter((own) => own !== scope)
    const others = chosen.filter((own) => own.startsWith('*:') && own !== `*:${right}`)
    const covered = others.map((own) => own.slice(1))
    const kept = before.filter((own) => !covered.some((ending) => own.endsWith(ending)))
    onChange(
      isChosen(scope) ? [...others, ...kept] : [...others, ...kept, ...withReading(scope, each, isChosen)],
    )
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        {strings.changeAlone}
      </Text>
      <ScrollArea.Autosize mah="20rem" type="auto" viewportProps={{ tabIndex: 0 }}>
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{strings.kind}</Table.Th>
              {rights.map((right) => (
                <Table.Th key={right}>{strings.rights[right]}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {scopedResources().map((resource) => (
              <Table.Tr key={resource.name}>
                <Table.Td>
                  {resource.label}{' '}
                  <Text component="span" size="xs" c="dimmed" ff="monospace">
                    {resource.name}
                  </Text>
                </Table.Td>
                {rights.map((right) => (
                  <Table.Td key={right}>
                    {resource.rights.includes(right) && (
                      <Checkbox
                        aria-label={strings.right[right](resource.label)}
                        checked={isChosen(`${resource.name}:${right}`)}
                        onChange={() => change(`${resource.name}:${right}`)}
                      />
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </>
  )
}

/** Most programs that change records also read them, so reading is chosen too. It can be taken away again. */
function withReading(
  scope: string,
  each: readonly string[],
  isChosen: (scope: string) => boolean,
): readonly string[] {
  const reading = scope.replace(/:write$/, ':read')
  return reading !== scope && each.includes(reading) && !isChosen(reading) ? [reading, scope] : [scope]
}
