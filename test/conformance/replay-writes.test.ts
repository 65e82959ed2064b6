import { WRITES } from './embedded.ts';
import { replayCorpus } from './replay-corpus.ts';

replayCorpus(WRITES);
