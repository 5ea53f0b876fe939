import { command } from '../../arguments/command.ts'
import { replayFlags } from './flags.ts'

export const comparePlans = command({
  name: 'compare-plans',
  words: 'FILE',
  about: 'Replays recorded calls at each plan: would it have sufficed?',
  flags: replayFlags,
  examples: [
    ['$0 compare-plans calls.har', 'an archive of a browser, of mitmproxy or of pet-mock'],
    ['$0 compare-plans calls.har --plans free,pro --report plans.html', 'two plans, with a picture of each'],
    ['$0 compare-plans server.log --caller-by key', 'lines of --log-format json, with a quota for each key'],
    ['$0 compare-plans calls.har --expect pro', 'exit code 1 if Pro refuses a call'],
  ],
  notes: [
    'FILE is an HTTP archive (HAR), a log of --log-format json, or the JSON of GET /__admin/requests; - reads standard input. The calls are made in process at their recorded times, whatever the response: a day takes seconds.',
    'For each plan, it reports the first refusal, refused calls, the time blocked, bans and peaks. For a plan that refuses calls, it replays changed calls: with a cache for identical GETs, with larger pages, spread over the minute, and combinations.',
    'Exit codes: 0 done, 1 a plan of --expect refuses calls or a report cannot be written, 2 wrong usage or a file without calls.',
  ],
  load: () => import('./run.ts'),
})
