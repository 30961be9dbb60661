import { RecordPage } from '../../ui/record-pages/record-page.js'
import { categories } from './kind.js'

export const Page = () => <RecordPage kind={categories} />
