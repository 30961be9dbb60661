import { ListPage } from '../../ui/record-pages/list-page.js'
import { passes } from './kind.js'

export const Page = () => <ListPage kind={passes} />
