/** Registers every element of the project; a name that is already taken is left as it is. */
import { AttnAdditions } from './attn-additions.js';
import { AttnConcat } from './attn-concat.js';
import { AttnExplain } from './attn-explain.js';
import { AttnEdit } from './attn-edit.js';
import { AttnFollow } from './attn-follow.js';
import { AttnGateMap } from './attn-gate-map.js';
import { AttnGateSgd } from './attn-gate-sgd.js';
import { AttnGateToy } from './attn-gate-toy.js';
import { AttnGlossary } from './attn-glossary.js';
import { AttnGqa } from './attn-gqa.js';
import { AttnHeads } from './attn-heads.js';
import { AttnKv } from './attn-kv.js';
import { AttnKitchen } from './attn-kitchen.js';
import { AttnLayer } from './attn-layer.js';
import { AttnLenses } from './attn-lenses.js';
import { AttnLoad } from './attn-load.js';
import { AttnMask } from './attn-mask.js';
import { AttnModel } from './attn-model.js';
import { AttnPipeline } from './attn-pipeline.js';
import { AttnQuiz } from './attn-quiz.js';
import { AttnProfile } from './attn-profile.js';
import { AttnScale } from './attn-scale.js';
import { AttnSinkLab } from './attn-sink-lab.js';
import { AttnSplit } from './attn-split.js';
import { AttnTimeline } from './attn-timeline.js';
import { AttnToy } from './attn-toy.js';

export { configureEngine, configureExample, configureModels } from './parts/engine.js';

export const ELEMENTS = {
  'attn-model': AttnModel,
  'attn-toy': AttnToy,
  'attn-mask': AttnMask,
  'attn-scale': AttnScale,
  'attn-lenses': AttnLenses,
  'attn-split': AttnSplit,
  'attn-gqa': AttnGqa,
  'attn-kv': AttnKv,
  'attn-gate-toy': AttnGateToy,
  'attn-profile': AttnProfile,
  'attn-gate-map': AttnGateMap,
  'attn-follow': AttnFollow,
  'attn-edit': AttnEdit,
  'attn-gate-sgd': AttnGateSgd,
  'attn-sink-lab': AttnSinkLab,
  'attn-layer': AttnLayer,
  'attn-explain': AttnExplain,
  'attn-quiz': AttnQuiz,
  'attn-glossary': AttnGlossary,
  'attn-load': AttnLoad,
  'attn-heads': AttnHeads,
  'attn-concat': AttnConcat,
  'attn-pipeline': AttnPipeline,
  'attn-additions': AttnAdditions,
  'attn-kitchen': AttnKitchen,
  'attn-timeline': AttnTimeline,
};

if (typeof customElements !== 'undefined') {
  for (const [tag, element] of Object.entries(ELEMENTS)) {
    if (!customElements.get(tag)) customElements.define(tag, /** @type {any} */ (element));
  }
}
