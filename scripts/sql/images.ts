import type { Resource } from '@zoetrope/contract'
import { head } from './lines.js'

const hasImages = ({ fields }: Resource) => 'images_attributes' in fields || 'pictures_attributes' in fields

const triggerOf = ({ plural }: Resource) =>
  `create or replace trigger ${plural}_images after delete on ${plural}
  referencing old table as gone for each statement execute function remove_images();
`

/** The triggers that delete the images of deleted records. */
export const imagesSql = (resources: readonly Resource[]): string =>
  `${head('The images of deleted records go with them.')}${resources.filter(hasImages).map(triggerOf).join('')}`
