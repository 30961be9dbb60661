import { RecordPage } from '../../ui/record-pages/record-page.js'
import { adTags } from './kind.js'

export const Page = () => <RecordPage kind={adTags} />
