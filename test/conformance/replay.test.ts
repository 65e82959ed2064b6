import { MAGAZINE } from './embedded.ts';
import { replayCorpus } from './replay-corpus.ts';

replayCorpus(MAGAZINE, 300);
