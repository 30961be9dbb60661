/** A metric at one moment: a value for each set of labels. */
export interface MetricReading {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter'
  readonly values: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]
}

export const gauge = (
  name: string,
  help: string,
  ...values: MetricReading['values'][number][]
): MetricReading => ({
  name: `zoetrope_${name}`,
  help,
  type: 'gauge',
  values,
})

/** A value for each key of a record, under a label. */
export const byLabel = (label: string, values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([key, value]) => [{ [label]: key }, value] as const)

const escapedText = (text: string) =>
  text.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))

const labelled = (labels: Readonly<Record<string, string>>) => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedText(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

/** Readings in the text format of Prometheus. */
export const writeReadings = (readings: readonly MetricReading[]): string =>
  readings
    .flatMap(({ name, help, type, values }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...values.map(([labels, value]) => `${name}${labelled(labels)} ${value}`),
    ])
    .concat('')
    .join('\n')
