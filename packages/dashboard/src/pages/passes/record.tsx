import { RecordPage } from '../../ui/record-pages/record-page.js'
import { passes } from './kind.js'

export const Page = () => <RecordPage kind={passes} />
