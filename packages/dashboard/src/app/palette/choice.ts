import type { IconName } from '../../ui/icons.js'

/** An entry of the search: a page, a record or an action. */
export interface Choice {
  readonly id: string
  readonly label: string
  /** What tells it from others with the same label. */
  readonly hint?: string | undefined
  readonly icon: IconName
  run(): void
}
