import { MORPH } from './embedded.ts';
import { replayCorpus } from './replay-corpus.ts';

replayCorpus(MORPH);
