/* Checks one lane in a process of its own. Arguments: the module of the lanes, the lane's name, what is wanted as JSON. */
import { checkLane } from './check-lane.ts'
import type { Lane } from './lane.ts'

const [module = '', name, wanted = '{}'] = process.argv.slice(2)
const { lanes }: { readonly lanes: readonly Lane[] } = await import(module)
process.on('disconnect', () => process.exit(1))
const lane = lanes.find(lane => lane.name === name)
if (lane === undefined) throw new Error(`there is no lane ${name}`)
const result = await checkLane(lane, JSON.parse(wanted), started => process.send?.({ started }))
process.send?.({ result }, () => process.exit())
