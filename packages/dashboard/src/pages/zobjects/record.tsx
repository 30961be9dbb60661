import { RecordPage } from '../../ui/record-pages/record-page.js'
import { WithType } from './with-type.js'

export const Page = () => <WithType>{(kind) => <RecordPage kind={kind} />}</WithType>
