import { ListPage } from '../../ui/record-pages/list-page.js'
import { transactions } from './kind.js'

export const Page = () => <ListPage kind={transactions} />
