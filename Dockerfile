# The chat page in a container: docs/install.md says how to build and run it.
# Each step from RUN to HEALTHCHECK is run without docker by .ci/container.py.
FROM python:3.11-slim

# cpu, or a CUDA release such as cu130; empty: what the package index has.
ARG TORCH_BACKEND=cpu

RUN useradd --create-home --uid 1000 chat && mkdir -p /data && chown chat /data
WORKDIR /app
COPY --chown=chat pyproject.toml README.md LICENSE constraints.txt ./
COPY --chown=chat minirag_chat minirag_chat
COPY --chown=chat extension extension
COPY --chown=chat corpora/osselmere/log corpora/osselmere/log

RUN python -m venv /opt/minirag-chat && /opt/minirag-chat/bin/python -m pip install --no-cache-dir uv
RUN /opt/minirag-chat/bin/uv pip install --python /opt/minirag-chat/bin/python --no-cache ${TORCH_BACKEND:+--torch-backend=$TORCH_BACKEND} -c constraints.txt '.[mcp,postgres,server]'

ENV PATH=/opt/minirag-chat/bin:$PATH \
    MINIRAG_CHAT_DB=/data/chats.db \
    MINIRAG_CHAT_MODEL_DIR=/data/models \
    MINIRAG_CHAT_CONTAINER=true \
    GRADIO_SERVER_NAME=0.0.0.0 \
    GRADIO_SERVER_PORT=7860
USER chat
VOLUME /data
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=10s --start-period=120s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:7860/health', timeout=9)"]
CMD ["minirag-chat", "page", "--no-browser"]
