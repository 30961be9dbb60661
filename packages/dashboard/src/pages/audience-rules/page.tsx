import { ListPage } from '../../ui/record-pages/list-page.js'
import { audienceRules } from './kind.js'

export const Page = () => <ListPage kind={audienceRules} />
