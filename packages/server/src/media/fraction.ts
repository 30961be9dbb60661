/** An exact ratio: 30000/1001 frames per second has no exact decimal. */
export interface Fraction {
  readonly numerator: number
  readonly denominator: number
}

export const fraction = (numerator: number, denominator = 1): Fraction => {
  const divisor = greatestCommonDivisor(numerator, denominator) || 1
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

export const toNumber = ({ numerator, denominator }: Fraction) => numerator / denominator

export const spell = ({ numerator, denominator }: Fraction) => `${numerator}/${denominator}`

/** Parses `30000/1001` or `4:3`; returns undefined unless it is a ratio above zero. */
export function readFraction(text: string | undefined): Fraction | undefined {
  const parts = /^(\d{1,12})[/:](\d{1,12})$/.exec(text ?? '')
  if (!parts) return undefined
  const [numerator, denominator] = [Number(parts[1]), Number(parts[2])]
  return numerator > 0 && denominator > 0 ? fraction(numerator, denominator) : undefined
}

const standardRates = [
  fraction(24_000, 1001),
  fraction(24),
  fraction(25),
  fraction(30_000, 1001),
  fraction(30),
  fraction(48),
  fraction(50),
  fraction(60_000, 1001),
  fraction(60),
]

/** The nearest standard frame rate, in proportion. */
export const nearestStandard = (rate: number): Fraction =>
  standardRates.reduce((best, next) =>
    Math.abs(Math.log(toNumber(next) / rate)) < Math.abs(Math.log(toNumber(best) / rate)) ? next : best,
  )

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
