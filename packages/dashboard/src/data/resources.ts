import { type Catalog, catalog, type Outline } from '@zoetrope/contract'

/** What can be called, and by whom. The build leaves the rest of the definitions to the pages that show records. */
export const resources: Readonly<Record<keyof Catalog, Outline>> = catalog
