/** When a key expires: never, after some days, or at the end of a day. */
export type Expiry = 'never' | '30' | '90' | '365' | 'date'

const dayMs = 86_400_000

export const expiryOf = (moment: string | null): Expiry => (moment === null ? 'never' : 'date')

/** The day of a moment in the browser's time zone, as an input of the type date has it. */
export function dayOf(moment: string | null): string {
  if (moment === null) return ''
  const at = new Date(moment)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** The moment to save. A day counts until its end. */
export function momentOf(expiry: Expiry, day: string): string | null {
  if (expiry === 'never') return null
  if (expiry === 'date') return new Date(`${day}T23:59:59`).toISOString()
  return new Date(Date.now() + Number(expiry) * dayMs).toISOString()
}
