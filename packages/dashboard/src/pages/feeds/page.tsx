import { ListPage } from '../../ui/record-pages/list-page.js'
import { feeds } from './kind.js'

export const Page = () => <ListPage kind={feeds} />
