import { describeFaults } from './service/describe-services.ts'

describeFaults('free')
