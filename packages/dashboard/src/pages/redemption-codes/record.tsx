import { RecordPage } from '../../ui/record-pages/record-page.js'
import { redemptionCodes } from './kind.js'

export const Page = () => <RecordPage kind={redemptionCodes} />
