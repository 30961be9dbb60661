import { RecordPage } from '../../ui/record-pages/record-page.js'
import { plans } from './kind.js'

export const Page = () => <RecordPage kind={plans} />
