import { RecordPage } from '../../ui/record-pages/record-page.js'
import { transactions } from './kind.js'

export const Page = () => <RecordPage kind={transactions} />
