import { ListPage } from '../../ui/record-pages/list-page.js'
import { consumers } from './kind.js'

export const Page = () => <ListPage kind={consumers} />
