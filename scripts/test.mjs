import { main } from './test/main.mjs';

process.exit(await main(process.argv.slice(2), process.env));
