import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** One line of the result: the measurement, the number, and its ratio to the yardstick of its group. */
export interface Line {
  readonly group: string
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly ratio?: number
  readonly target?: string
}

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`

/** The processor time of the machine so far: all of it, and what its host gave to others (`steal` in /proc/stat). */
function processorTime() {
  const fields = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').trim().split(/\s+/).slice(1, 9)
  return { all: fields.reduce((sum, each) => sum + Number(each), 0), stolen: Number(fields[7]) }
}
const begun = processorTime()

/** The day, the machine, and how much of it was there for the measurement. */
export function madeOn(): string {
  const now = processorTime()
  const share = (now.stolen - begun.stolen) / (now.all - begun.all)
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit()}; ${machine}; its host gave ${Math.round(share * 100)} % of the processor time to others meanwhile`
}

const commit = () => execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()

/** Prints progress. */
export const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)

/** Collects the lines of a result in order, and prints each as it is added. */
export function openReport() {
  const lines: Line[] = []
  return {
    lines: lines as readonly Line[],
    add(line: Line): void {
      lines.push(line)
      const ratio = line.ratio === undefined ? '' : ` (ratio ${line.ratio.toFixed(2)})`
      say(`${line.group}: ${line.name}: ${line.value.toFixed(2)} ${line.unit}${ratio}`)
    },
  }
}

const rounded = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)

export function markdown(lines: readonly Line[], facts: readonly string[]): string {
  const groups = [...new Set(lines.map(({ group }) => group))]
  const tables = groups.map((group) => {
    const rows = lines
      .filter((line) => line.group === group)
      .map(
        ({ name, value, unit, ratio, target }) =>
          `| ${name} | ${rounded(value)} ${unit} | ${ratio === undefined ? '' : ratio.toFixed(2)} | ${target ?? ''} |`,
      )
    return [
      `### ${group}`,
      '',
      '| What | Measured | Ratio | Target |',
      '|---|--:|--:|---|',
      ...rows,
      '',
    ].join('\n')
  })
  return [...facts.map((fact) => `- ${fact}`), '', ...tables].join('\n')
}

const width = 800
const barHeight = 22
const labelWidth = 370

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? c)

type Bar = Line & { readonly ratio: number }

const rowHeight = barHeight + 6
/** Logarithmic, so that 0.01 and 3 are both visible. */
const scale = (ratio: number) => (Math.log10(Math.min(Math.max(ratio, 0.01), 10)) + 2) / 3
const space = width - labelWidth - 70

function barAt(y: number, { name, ratio }: Bar): string {
  const length = Math.max(space * scale(ratio), 2)
  return [
    `<text x="${labelWidth - 8}" y="${y + 15}" text-anchor="end">${escaped(name)}</text>`,
    `<rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="3" fill="#4263eb"/>`,
    `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${y + 15}">${ratio < 0.01 ? 'below 0.01' : ratio.toFixed(2)}</text>`,
  ].join('')
}

const headingAt = (y: number, group: string) =>
  `<text x="8" y="${y + 17}" font-weight="600">${escaped(group)}</text>`

/** Draws a bar for every line with a ratio, below the name of its group. */
export function chart(lines: readonly Line[]): string {
  const bars = lines.filter((line): line is Bar => line.ratio !== undefined)
  const rows = [...new Set(bars.map(({ group }) => group))].flatMap((name) => [
    (y: number) => headingAt(y, name),
    ...bars.filter(({ group }) => group === name).map((bar) => (y: number) => barAt(y, bar)),
  ])
  const one = labelWidth + space * scale(1)
  const height = 44 + rows.length * rowHeight
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#212529">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${labelWidth}" y="18" fill="#868e96">ratio to the yardstick of each group, logarithmic; the line is 1</text>`,
    `<line x1="${one.toFixed(1)}" y1="24" x2="${one.toFixed(1)}" y2="${height - 8}" stroke="#adb5bd"/>`,
    ...rows.map((row, index) => row(30 + index * rowHeight)),
    '</svg>',
    '',
  ].join('\n')
}
