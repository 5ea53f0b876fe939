import { createPetClient } from './pet-client.js'

const { PET_MOCK_URL: baseUrl = 'http://127.0.0.1:7387/v1', PET_MOCK_KEY: key = 'demo-free' } = process.env
const client = createPetClient({ baseUrl, key })

const rex = await client.addPet({ name: 'Rex', categoryId: 1, status: 'available' })
console.log(`added ${rex.name}, number ${rex.id}`)

const counts = new Map<string, number>()
for await (const { status = 'no status' } of client.pets()) counts.set(status, (counts.get(status) ?? 0) + 1)
for (const [status, count] of counts) console.log(`${count} ${status}`)
