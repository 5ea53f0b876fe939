import { describeFaults, describeLawful } from './service/describe-services.ts'

describeFaults('pro')
describeLawful('pro')
